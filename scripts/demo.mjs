// Plain JavaScript, so that an old Node can say what it wants instead of what it cannot read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`
  The demo needs Node 22.18 or newer; this is ${process.version}.
  \`npx -y pnpm@12 demo\` brings its own: run that from the root of the repository, with a network the first time.
`)
  process.exit(1)
}
await import('./demo.ts')
