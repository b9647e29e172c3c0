import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useHydrated } from '../../card/behavior/use-hydrated.ts'
import type { ToolPreview, ToolPreviewProps } from '../../settings/context.ts'
import { readArguments } from './read-arguments.ts'
import { usePreviewWords } from './words.ts'

/** One argument that a preview shows. */
export interface PreviewField {
  /** Names of the argument; the first that is there is shown. @default the name of the field */
  readonly names?: readonly string[]
  /** True for values that the preview can show completely. Anything else is a row below the preview. */
  readonly accepts: (value: unknown) => boolean
  /** Without this argument all arguments are rows. @default false */
  readonly required?: boolean
}

type Fields = Readonly<Record<string, PreviewField>>
type Accepted<F extends PreviewField> = F['accepts'] extends (value: unknown) => value is infer V ? V : unknown

/** The props of a preview component: the arguments that its fields accept, and nothing else. */
export interface PreviewProps<F extends Fields = Fields> {
  readonly values: { readonly [K in keyof F as F[K] extends { required: true } ? K : never]: Accepted<F[K]> } & {
    readonly [K in keyof F as F[K] extends { required: true } ? never : K]?: Accepted<F[K]>
  }
  /** The name under which each argument was found. */
  readonly names: { readonly [K in keyof F]?: string }
}

/**
 * Defines how the arguments of a tool are shown on its card. Register the result with the `renderers` of the provider.
 *
 * The component gets only the arguments that its fields accept, and the card shows all others as rows below it, so that
 * every argument is shown. All arguments are rows if a required one is missing or of another type, if a text contains
 * invisible characters, while the component loads, and if it cannot be loaded or throws.
 *
 * @example
 * const PostPreview = definePreview({
 *   fields: { channel: { accepts: argumentChecks.text, required: true } },
 *   load: () => import('./post-preview.tsx'),
 * })
 */
export function definePreview<const F extends Fields>(definition: {
  fields: F
  load: () => Promise<{ default: ComponentType<PreviewProps<F>> }>
}): ToolPreview {
  const { fields, load } = definition
  const View = lazy(load) as ComponentType<PreviewProps>
  function Preview({ args, rows }: ToolPreviewProps): ReactNode {
    const words = usePreviewWords()
    const isHydrated = useHydrated()
    const read = isHydrated ? readArguments(fields, args) : undefined
    const all = rows(args)
    if (!read) return all
    const { rest, ...shown } = read
    return (
      <RowsOnError rows={all}>
        <Suspense fallback={all}>
          <div className="hp-readable hp-preview" data-slot="preview">
            <View {...shown} />
          </div>
          {Object.keys(rest).length > 0 ? (
            <>
              <div className="hp-section-title">{words.rest}</div>
              {rows(rest)}
            </>
          ) : null}
        </Suspense>
      </RowsOnError>
    )
  }
  const shows = Object.entries(fields).flatMap(([name, { names = [name] }]) => names)
  return Object.assign(Preview, { shows })
}

/** Shows the rows if the preview cannot be loaded or throws: a question must stay readable. */
class RowsOnError extends Component<{ rows: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.rows : this.props.children
  }
}
