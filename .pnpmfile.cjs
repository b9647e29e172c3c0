/** What only the workspace may see leaves a package when it is packed: its `exports` then name what is in `dist`. */
function beforePacking(manifest) {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports ?? {}).map(([path, target]) => {
      if (typeof target === 'string') return [path, target]
      const { 'holdpoint-source': _, ...published } = target
      return [path, published]
    }),
  )
  const { devDependencies: _dev, scripts: _scripts, ...rest } = manifest
  return { ...rest, exports }
}

module.exports = { hooks: { beforePacking } }
