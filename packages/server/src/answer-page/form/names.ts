/** Returns the name of a field in the posted form. The prefix keeps it apart from the page's own names. */
export const fieldName = (id: string) => `f.${id}`

/** Returns the name of the free text beside the options of a field. */
export const otherName = (id: string) => `o.${id}`

/** The name of the input with the ids of the drawn fields, in a form whose fields depend on each other. */
export const DRAWN = 'drawn'

/** The name of the input with the index of the drawn step, in a form that is asked step by step. */
export const STEP = 'step'

/** Returns the ids of the drawn fields as one text. */
export const drawnOf = (fields: readonly { id: string }[]) => fields.map(({ id }) => encodeURIComponent(id)).join(' ')
