/** Express 4 brings no types of its own; what the tests use of it is typed as in Express 5. */
declare module 'express-4' {
  import express from 'express'
  export default express
}
