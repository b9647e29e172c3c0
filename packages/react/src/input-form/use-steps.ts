import type { FieldSpec } from '@holdpoint/core/internal'
import { type FieldGroup, groupsOf } from '@holdpoint/core/internal/forms'
import { useMemo } from 'react'

/**
 * The current step of a questionnaire: one group of fields at a time. Any other form is one step with all of its
 * fields.
 */
export interface Steps {
  index: number
  total: number
  /** The fields of this step. */
  groups: readonly FieldGroup[]
  /** The fields of the steps before it. */
  before: readonly FieldSpec[]
  isLast: boolean
}

/** `step` may be beyond the last one, because other answers lead to fewer steps. */
export function useSteps(asked: readonly FieldSpec[], isQuestionnaire: boolean, step: number): Steps {
  return useMemo(() => {
    const groups = groupsOf(asked)
    if (!isQuestionnaire || groups.length < 2) return { index: 0, total: 1, groups, before: [], isLast: true }
    const index = Math.min(Math.max(step, 0), groups.length - 1)
    return {
      index,
      total: groups.length,
      groups: groups.slice(index, index + 1),
      before: groups.slice(0, index).flatMap(({ fields }) => fields),
      isLast: index === groups.length - 1,
    }
  }, [asked, isQuestionnaire, step])
}

/** The step that asks for one of these fields; undefined if none does. */
export function stepWith(ids: readonly string[], asked: readonly FieldSpec[]): number | undefined {
  const index = groupsOf(asked).findIndex(({ fields }) => fields.some(({ id }) => ids.includes(id)))
  return index < 0 ? undefined : index
}
