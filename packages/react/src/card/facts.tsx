import { SafeText } from '../wording/text.tsx'
import { useCard } from './elements/card-context.ts'
import { Icon } from './elements/icon.tsx'
import { Part, type PartProps } from './elements/part.tsx'
import { useContentLang } from './heading.tsx'
import { CardRisk } from './risk.tsx'

const ICONS: Readonly<Record<string, string>> = { danger: 'warning', warning: 'warning', good: 'check' }

/** Shows the consequences of an approval: the risk and the host's facts, in words. Icon and color only repeat them. */
export function CardFacts(props: PartProps) {
  const { request, over, id } = useCard()
  const lang = useContentLang()
  const facts = request?.facts ?? []
  const risk = request?.risk && request.interactionType === 'approval'
  if (over || (!risk && facts.length === 0)) return null
  return (
    <Part as="ul" slotName="facts" id={id('facts')} {...props}>
      {risk ? (
        <li className="hp-fact">
          <CardRisk />
        </li>
      ) : null}
      {facts.map(({ label, value, tone = 'neutral' }, index) => (
        <li key={index} className="hp-fact" data-slot="fact" data-tone={tone} lang={lang}>
          <Icon name={ICONS[tone] ?? 'fact'} />
          <span>
            <span className="hp-fact-label">
              <SafeText>{label}</SafeText>
            </span>
            {value === undefined ? null : (
              <>
                {': '}
                <SafeText>{value}</SafeText>
              </>
            )}
          </span>
        </li>
      ))}
    </Part>
  )
}
