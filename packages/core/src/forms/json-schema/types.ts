/** One property of a flat JSON Schema: the subset that MCP elicitation allows, in both of its revisions. */
export type JsonSchemaProperty = {
  title?: string
  description?: string
} & (
  | {
      type: 'string'
      minLength?: number
      maxLength?: number
      pattern?: string
      format?: 'email' | 'uri' | 'date' | 'date-time'
      default?: string
    }
  | { type: 'string'; enum: string[]; enumNames?: string[]; default?: string }
  | { type: 'string'; oneOf: { const: string; title: string }[]; default?: string }
  | { type: 'number' | 'integer'; minimum?: number; maximum?: number; default?: number }
  | { type: 'boolean'; const?: true; default?: boolean }
  | {
      type: 'array'
      items: { type: 'string'; enum: string[] } | { anyOf: { const: string; title: string }[] }
      minItems?: number
      maxItems?: number
      default?: string[]
    }
)

/** A flat JSON Schema of a form. */
export interface JsonSchemaForm {
  type: 'object'
  properties: Record<string, JsonSchemaProperty>
  required?: string[]
}
