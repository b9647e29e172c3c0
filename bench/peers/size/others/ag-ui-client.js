/** The protocol's client, without React. */
export { HttpAgent } from '@ag-ui/client'
