import {
  type ElementType,
  forwardRef,
  type HTMLAttributes,
  isValidElement,
  type ReactElement,
  type Ref,
  useCallback,
  version,
} from 'react'

type Props = Record<string, unknown> & { ref?: Ref<HTMLElement> }
type Handler = (...args: unknown[]) => unknown

/**
 * Renders its one child with the attributes, the handlers and the ref of a part. Attributes of the child win. Class names,
 * styles and descriptions are joined, and of a handler both run, that of the child first.
 */
export const Slot = /* @__PURE__ */ forwardRef<HTMLElement, HTMLAttributes<HTMLElement>>(function Slot(
  { children, ...given },
  ref,
) {
  const child = isValidElement<Props>(children) ? children : undefined
  const own = child && refOf(child)
  const both = useCallback(
    (node: HTMLElement | null) => {
      const ends = [own, ref].map((each) => attach(each, node))
      // React 18 rejects a ref that returns a function. React 19 calls that function in place of the ref with null.
      if (!ends.some(Boolean)) return
      return () => {
        if (ends[0]) ends[0]()
        else attach(own, null)
        if (ends[1]) ends[1]()
        else attach(ref, null)
      }
    },
    [own, ref],
  )
  if (child) {
    const Child = child.type as ElementType
    return <Child key={child.key} {...merged(given as Props, child.props)} ref={both} />
  }
  if (children || children === 0) throw new Error('asChild needs exactly one React element as its child.')
  return null
})

function merged(given: Props, own: Props): Props {
  const props = { ...given, ...own }
  for (const name of Object.keys(own)) {
    const [ours, theirs] = [given[name], own[name]]
    if (!ours) continue
    if (name === 'style') props[name] = { ...ours, ...(theirs as object) }
    else if (name === 'className' || name === 'aria-describedby') props[name] = [ours, theirs].filter(Boolean).join(' ')
    else if (/^on[A-Z]/.test(name))
      props[name] = (...args: unknown[]) => {
        const result = (theirs as Handler | undefined)?.(...args)
        ;(ours as Handler)(...args)
        return result
      }
  }
  return props
}

/** React 19 moved the ref of an element into its props, and warns about the old place, as React 18 does about the new. */
const refOf = (element: ReactElement<Props>) =>
  Number.parseInt(version, 10) < 19 ? (element as { ref?: Ref<HTMLElement> }).ref : element.props.ref

function attach(ref: Ref<HTMLElement> | undefined, node: HTMLElement | null): undefined | (() => void) {
  if (typeof ref === 'function') return ref(node) || undefined
  if (ref) ref.current = node
}
