import { say } from '@holdpoint/core/internal'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useLatest } from '../../base/use-latest.ts'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { nameText, visible } from '../../wording/escape.ts'
import { Text } from '../../wording/text.tsx'
import { filesOf } from '../values/files.ts'
import { type ControlProps, described } from '../values/types.ts'
import { refusedAfter, refusedBefore, uploadProblem } from './upload-problem.ts'

/** A file goes up when it is chosen; the form holds its handle. The control lists the files, and the user can remove each. */
export function FileControl(props: ControlProps) {
  const { field, value, onChange, readOnly, upload } = props
  const { classNames, messages, announcer, locale } = useCard()
  const [busy, setBusy] = useState<readonly string[]>([])
  const [failed, setFailed] = useState<readonly string[]>([])
  const latest = useLatest({ value, onChange, busy })
  const mounted = useMounted()
  const several = field.type === 'file' && field.multiple === true
  const files = filesOf(value)

  const send = async (file: File) => {
    const fail = (why: ReturnType<typeof refusedAfter>) => {
      const text = uploadProblem(why, field, file.name, { messages, locale })
      setFailed((texts) => [...texts, text])
      announcer?.announce(text)
    }
    // A file that the server would reject is not uploaded.
    const why = refusedBefore(field, file)
    if (why) return fail(why)
    const { value: had, busy: uploading } = latest()
    // The handle of a file that is being uploaded is not known yet, so the server must not remove any then.
    const keeps = uploading.length > 0 ? undefined : filesOf(had).map(({ handle }) => handle)
    setBusy((names) => [...names, file.name])
    try {
      if (!upload) throw new Error('This form has nowhere to upload to')
      const uploaded = await upload(field.id, file, keeps)
      const { value: current, onChange: change } = latest()
      if (mounted()) change(several ? [...filesOf(current), uploaded] : uploaded)
    } catch (error) {
      fail(refusedAfter(error))
    } finally {
      setBusy((names) => names.toSpliced(names.indexOf(file.name), 1))
    }
  }
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(event.target.files ?? [])]
    event.target.value = ''
    setFailed([])
    for (const file of chosen) await send(file)
  }
  return (
    <div className="hp-file" data-slot="file" aria-busy={busy.length > 0 || undefined}>
      <input
        {...described(props)}
        type="file"
        className={classes('hp-input hp-file-input', classNames.input)}
        accept={field.type === 'file' ? field.accept?.join(',') : undefined}
        multiple={several}
        disabled={readOnly}
        onChange={choose}
      />
      {files.length || busy.length ? (
        <ul className="hp-file-list">
          {files.map((file) => (
            <li key={file.handle}>
              <Text>{nameText(file.name)}</Text>
              <CardButton
                slotName="remove-file"
                variant="quiet"
                blocked={readOnly === true}
                aria-label={say(messages.removeFile, { name: visible(file.name) })}
                onPress={() => onChange(several ? files.filter(({ handle }) => handle !== file.handle) : null)}
              >
                ×
              </CardButton>
            </li>
          ))}
          {busy.map((name) => (
            <li key={`busy ${name}`}>
              <Text>{say(messages.uploading, { name: nameText(name) })}</Text>
            </li>
          ))}
        </ul>
      ) : null}
      {failed.map((text) => (
        <p key={text} className="hp-problem">
          <Text>{text}</Text>
        </p>
      ))}
    </div>
  )
}

/** Returns false after the form was removed, because an upload may end later. */
function useMounted(): () => boolean {
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return () => mounted.current
}
