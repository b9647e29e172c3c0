import type { InputField } from '@holdpoint/core'

/** Fields for stories and tests: those that depend on others, and the rare kinds. */

const named = (label: string) => ({ value: label.toLowerCase().replace(/\W+/g, '-'), label })

/** Enough of them to search. */
export const cities = [
  ...['Amsterdam', 'Athens', 'Barcelona', 'Berlin', 'Bogotá', 'Cairo', 'Copenhagen', 'Dublin', 'Geneva', 'Hamburg'],
  ...['Helsinki', 'İzmir', 'Kraków', 'Lagos', 'Lima', 'Lisbon', 'Málaga', 'Montréal', 'Nairobi', 'Oslo', 'Paris'],
  ...['Porto', 'Prague', 'Reykjavík', 'Rome', 'São Paulo', 'Seoul', 'Sofia', 'Tokyo', 'Vienna', 'Zürich'],
].map(named)

export const delivery: InputField[] = [
  {
    id: 'how',
    type: 'radio',
    label: 'Delivery',
    required: true,
    options: [
      { value: 'post', label: 'By post' },
      { value: 'pickup', label: 'I collect it' },
    ],
    other: true,
  },
  { id: 'street', type: 'text', label: 'Street', required: true, group: 'Address', when: { field: 'how', is: 'post' } },
  { id: 'city', type: 'text', label: 'City', required: true, group: 'Address', when: { field: 'how', is: 'post' } },
  { id: 'days', type: 'daterange', label: 'When can you come?', when: { field: 'how', is: 'pickup' } },
  { id: 'budget', type: 'money', currency: 'EUR', label: 'It may cost', minimum: 0 },
]

export const special: InputField[] = [
  { id: 'office', type: 'select', label: 'Office', required: true, options: cities },
  { id: 'also', type: 'multiselect', label: 'Tell these offices too', options: cities.slice(-16) },
  {
    id: 'topic',
    type: 'radio',
    label: 'Topic',
    options: ['Sales', 'Costs'].map(named),
    other: true,
    description: 'Choose one, or write your own.',
  },
  { id: 'fee', type: 'money', currency: 'EUR', label: 'Fee' },
  { id: 'stay', type: 'daterange', label: 'Stay', min: '2026-01-01' },
  { id: 'phone', type: 'phone', label: 'Phone' },
]
