/** One property of a flat JSON Schema: the subset that MCP elicitation allows, in both of its revisions. */
export type JsonSchemaProperty = {
  title?: string
  description?: string
  /** The name that a field shares with its neighbors. */
  'x-group'?: string
} & (
  | {
      type: 'string'
      minLength?: number
      maxLength?: number
      pattern?: string
      format?: 'email' | 'uri' | 'date' | 'date-time' | 'phone'
      default?: string
    }
  | { type: 'string'; enum: string[]; enumNames?: string[]; default?: string }
  | { type: 'string'; oneOf: { const: string; title: string }[]; default?: string }
  | { type: 'string'; anyOf: OpenChoice[]; default?: string }
  | { type: 'number' | 'integer'; minimum?: number; maximum?: number; default?: number; 'x-currency'?: string }
  | {
      type: 'object'
      properties: { from: { type: 'string'; format: 'date' }; to: { type: 'string'; format: 'date' } }
      required: ['from', 'to']
      additionalProperties: false
      default?: { from: string; to: string }
    }
  | { type: 'boolean'; const?: true; default?: boolean }
  | {
      type: 'array'
      items:
        | { type: 'string'; enum: string[] }
        | { anyOf: { const: string; title: string }[] }
        | { type: 'string'; anyOf: OpenChoice[] }
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
  /** One for each field that depends on another one. */
  allOf?: JsonSchemaCondition[]
}

/** A choice of a list that ends with text of one's own. */
type OpenChoice = { const: string; title: string } | { type: 'string'; maxLength: number }

type Scalar = string | number | boolean
type Value = { const: Scalar } | { enum: Scalar[] }

/** If a property has a value, another one may be there. */
export interface JsonSchemaCondition {
  if: { properties: Record<string, Value | { contains: Value } | { const?: never }>; required: [string] }
  then?: { required: [string] }
  else: { properties: Record<string, false> }
}
