/** One import, both ends as paths from the root of the workspace. */
export interface Edge {
  from: string
  to: string
}

/** Folder → folders that it imports from, each with one import that causes it. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, Edge>>

/**
 * Finds cycles of folders: a shortest one for each import that closes one. A file that is directly in a package's `src`
 * counts as a folder of its own; an inner folder is not part of its outer one.
 */
export function findCycles(imports: readonly Edge[]): Edge[][] {
  const graph = graphOf(imports)
  const found = new Map<string, Edge[]>()
  for (const [from, targets] of graph) {
    for (const [to, edge] of targets) {
      const back = shortestPath(graph, to, from)
      if (!back) continue
      const cycle = [edge, ...back]
      found.set(cycle.map(nameOf).sort().join(), cycle)
    }
  }
  return [...found.values()].sort((a, b) => a.length - b.length)
}

/** `packages/server/src/engine → packages/server/src/base` */
export const nameOf = ({ from, to }: Edge) => `${folderOf(from)} → ${folderOf(to)}`

function graphOf(imports: readonly Edge[]): Graph {
  const graph = new Map<string, Map<string, Edge>>()
  for (const edge of imports) {
    const [from, to] = [folderOf(edge.from), folderOf(edge.to)]
    if (from === to) continue
    const targets = graph.get(from) ?? new Map<string, Edge>()
    graph.set(from, targets)
    if (!targets.has(to)) targets.set(to, edge)
  }
  return graph
}

/** The imports that lead from one folder to another; undefined if none do. */
function shortestPath(graph: Graph, start: string, end: string): Edge[] | undefined {
  const reached = new Map<string, Edge[]>([[start, []]])
  for (const [folder, path] of reached) {
    if (folder === end) return path
    for (const [next, edge] of graph.get(folder) ?? []) {
      if (!reached.has(next)) reached.set(next, [...path, edge])
    }
  }
  return undefined
}

export function folderOf(file: string): string {
  return /^packages\/[^/]+\/src\/[^/]+$/.test(file) ? file : file.slice(0, file.lastIndexOf('/'))
}
