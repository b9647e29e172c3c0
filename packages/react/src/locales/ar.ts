import type { Messages } from '../messages/messages.ts'
import { type PluralForms, plural } from '../messages/plural.ts'

const number = (value: unknown) => new Intl.NumberFormat('ar').format(Number(value))
const many = (count: unknown, forms: PluralForms) => plural('ar', Number(count), forms)

const lines = (count: number) =>
  many(count, {
    one: 'سطر واحد آخر',
    two: 'سطرين آخرين',
    few: `${number(count)} أسطر أخرى`,
    other: `${number(count)} سطرًا آخر`,
  })
const characters = (count: unknown) =>
  many(count, { one: 'حرف واحد', two: 'حرفان', few: `${number(count)} أحرف`, other: `${number(count)} حرفًا` })
const answers = (count: number) =>
  many(count, {
    one: 'إجابة واحدة تحتاج إلى مراجعة',
    two: 'إجابتان تحتاجان إلى مراجعة',
    few: `${number(count)} إجابات تحتاج إلى مراجعة`,
    other: `${number(count)} إجابة تحتاج إلى مراجعة`,
  })
const questions = (count: number) =>
  many(count, {
    one: 'سؤال واحد في الانتظار',
    two: 'سؤالان في الانتظار',
    few: `${number(count)} أسئلة في الانتظار`,
    other: `${number(count)} سؤالًا في الانتظار`,
  })

/**
 * النصوص العربية.
 *
 * @example
 * <HoldpointProvider messages={arabic} locale="ar" dir="rtl">
 */
export const arabic: Messages = {
  loading: 'جارٍ تحميل السؤال…',
  approvalTitle: 'مطلوب موافقة',
  inputTitle: 'مطلوب معلومات',
  connectTitle: ({ count }) => many(count, { one: 'ربط حساب', two: 'ربط حسابين', other: 'ربط حسابات' }),
  unknownTitle: 'سؤال من نوع لا تعرفه هذه النسخة',
  unknownText: 'لا يمكن الإجابة عنه هنا. حدِّث التطبيق، أو أجب حيث يكون معروفًا.',
  byline: ({ requester, tool }) => (requester ? `${requester} باستخدام ${tool}` : tool),

  riskLow: 'خطر منخفض',
  riskMedium: 'خطر متوسط',
  riskHigh: 'خطر مرتفع',
  argumentsTitle: 'ما سيُنفَّذ',
  changesTitle: 'ما سيتغيّر',
  showAll: ({ count }) => `إظهار ${lines(count)}`,
  showLess: 'إظهار أقل',
  edit: 'تعديل',
  stopEditing: 'تم',
  editedArguments: 'ما سيُنفَّذ، بعد تعديلك',
  askedFor: 'ما طُلب',
  askedChanges: 'التغييرات المطلوبة',
  approvedArguments: 'ما تمت الموافقة عليه، مع تعديلات',
  resetArguments: 'العودة إلى ما طُلب',
  editedNote: 'عدّلته أنت. يسري هذه المرة فقط.',
  invalidJson: 'هذا ليس JSON صالحًا، فلا يمكن تنفيذه.',
  scopeLegend: 'الموافقة',
  scopeOnce: 'هذه المرة فقط',
  scopeSession: 'في هذه المحادثة، لهذا الطلب بعينه',
  scopeAlways: 'دائمًا، لهذا الطلب بعينه (يمكن تغييره في الإعدادات)',
  addReason: 'إضافة سبب',
  reason: 'السبب (اختياري)',
  reasonGiven: 'السبب',
  approve: 'موافقة',
  approveWithChanges: ({ label }) => `${label} مع التعديلات`,
  approveSome: ({ label, accepted, total }) => `${label}: ${number(accepted)} من ${number(total)} تغييرات`,
  allRejected: 'رفضتَ كل التغييرات. ارفض الطلب كله، أو اقبل تغييرًا واحدًا على الأقل.',
  deny: 'رفض',
  framed: 'هذه الصفحة معروضة داخل صفحة أخرى، فلا يمكن الموافقة هنا. افتحها في نافذة مستقلة.',
  pressAgain: 'ظهر الزر هنا للتو، لذلك لم تُحتسب الضغطة. اضغط مرة أخرى.',
  acceptChange: 'قبول',
  rejectChange: 'رفض',
  change: ({ index, total, path }) => `التغيير ${number(index)} من ${number(total)} في ${path}`,
  lineAdded: 'أُضيف',
  lineRemoved: 'حُذف',

  submit: 'إرسال',
  decline: 'الامتناع عن الإجابة',
  dismiss: 'إغلاق',
  required: '(مطلوب)',
  choose: 'اختر…',
  secretNote: 'يبقى خارج المحادثة: يستطيع المساعد استخدامه دون قراءته.',
  secretSet: 'مُدخَل',
  secretNotSet: 'غير مُدخَل',
  yes: 'نعم',
  no: 'لا',
  nothingGiven: 'لم يُعطَ شيء',
  uploading: ({ name }) => `جارٍ رفع ${name}…`,
  uploadFailed: ({ name }) => `لم يُرفع ${name}. اختره مرة أخرى.`,
  removeFile: ({ name }) => `إزالة ${name}`,
  problemsTitle: ({ count }) => answers(count),
  problems: {
    required: 'أعطِ إجابة.',
    not_ticked: 'يجب تحديد هذا المربع.',
    type: 'ليست هذه القيمة من النوع المطلوب.',
    too_short: ({ min }) => `الحد الأدنى ${characters(min)}.`,
    too_long: ({ max }) => `الحد الأقصى ${characters(max)}.`,
    too_small: ({ min }) => (typeof min === 'string' ? `${min} أو بعده.` : `${number(min)} أو أكثر.`),
    too_big: ({ max }) => (typeof max === 'string' ? `${max} أو قبله.` : `${number(max)} أو أقل.`),
    not_integer: 'أعطِ عددًا صحيحًا.',
    bad_email: 'أعطِ عنوان بريد إلكتروني، مثل ada@example.com.',
    bad_url: 'أعطِ عنوان ويب يبدأ بـ https:// أو http://.',
    bad_date: 'أعطِ تاريخًا.',
    bad_datetime: 'أعطِ تاريخًا ووقتًا.',
    not_an_option: 'اختر واحدًا من الخيارات.',
    too_few: ({ min }) => `الحد الأدنى للاختيار: ${number(min)}.`,
    too_many: ({ max }) => `الحد الأقصى للاختيار: ${number(max)}.`,
    pattern: 'ليس هذا بالشكل المطلوب.',
    bad_file: ({ reason, limit }) =>
      reason === 'size' ? `الملف أكبر من ${limit}.` : `اختر ملفًا من هذا النوع: ${limit}.`,
    unknown_field: 'لم يُطلب هذا.',
    custom: 'هذه القيمة غير مقبولة.',
  },

  connect: ({ name }) => `ربط ${name}`,
  reconnect: ({ name }) => `إعادة ربط ${name}`,
  allowMore: ({ name }) => `منح ${name} صلاحيات أكثر`,
  tryAgain: ({ name }) => `محاولة ربط ${name} مرة أخرى`,
  opensHost: ({ host }) => `يفتح ${host}`,
  continueTo: ({ host }) => `المتابعة إلى ${host}`,
  connectOpening: 'جارٍ الفتح…',
  connectWaiting: ({ name }) => `أكمل في نافذة ${name}`,
  connectBlocked: 'منع المتصفح فتح النافذة. استخدم الرابط.',
  connectRedirect: 'ستغادر هذه الصفحة ثم تعود إليها.',
  connectDenied: ({ name }) => `لم يُسمح بربط ${name}. لم يُشارَك شيء.`,
  connectWrongAccount: ({ name }) => `هذا حساب ${name} غير الحساب المطلوب.`,
  connectFailed: ({ name }) => `تعذّر ربط ${name}.`,
  connected: 'مرتبط',
  connectedFewer: 'مرتبط بصلاحيات أقل من المطلوب',
  causeExpired: 'انتهى الربط ويجب تجديده.',
  causeScopes: 'مرتبط، لكن هذا يحتاج إلى صلاحيات أكثر.',
  checking: 'جارٍ التحقق…',
  finished: 'انتهيت',
  openAgain: 'فتح مرة أخرى',
  progress: ({ connected, total }) => `رُبط ${number(connected)} من ${number(total)}`,
  allConnected: 'تم الربط. تستمر المهمة.',
  stopTask: 'إيقاف هذه المهمة',

  submitting: 'جارٍ الإرسال…',
  notSent: 'لم تُرسَل. ما زالت إجابتك هنا.',
  sendAgain: 'إرسال مرة أخرى',
  notAccepted: 'لم تُقبل. ما زالت إجابتك هنا.',
  disconnected: 'جارٍ إعادة الاتصال… قد يكون هذا قديمًا.',
  disconnectedKept: 'جارٍ إعادة الاتصال… إجابتك محفوظة.',
  readOnly: 'الإجابة متوقفة هنا.',
  turnOn: 'تشغيل',
  notAllowed: 'على شخص آخر أن يجيب عن هذا.',
  deferred: 'تابع المساعد عمله في هذه الأثناء. ما زالت إجابتك محسوبة.',
  youApproved: ({ scope, edited }) => {
    if (edited) return 'وافقتَ على هذا مع تعديلات'
    if (scope === 'session') return 'وافقتَ على هذا في هذه المحادثة'
    return scope === 'always' ? 'وافقتَ على هذا دائمًا' : 'وافقتَ على هذا'
  },
  youDenied: 'رفضتَ هذا. لم يُنفَّذ.',
  youSubmitted: 'أجبتَ عن هذا',
  youDeclined: 'امتنعتَ عن الإجابة',
  youDismissed: 'أغلقتَ هذا',
  running: 'تمت الموافقة. ما زال قيد التنفيذ…',
  elsewhere: ({ name, time }) =>
    `${name ? `أجاب ${name} عن هذا على جهاز آخر` : 'أُجيب عن هذا على جهاز آخر'}${time ? ` · ${time}` : ''}`,
  approvedElsewhere: 'تمت الموافقة',
  deniedElsewhere: 'رُفض',
  expired: 'لم يُجب أحد في الوقت المحدد. لم يُنفَّذ شيء.',
  cancelled: 'أُوقفت المهمة. لم يُنفَّذ شيء.',
  superseded: 'حلّ محله سؤال أحدث.',
  failed: 'حُفظت إجابتك، لكن الأداة أخفقت. أُبلغ المساعد.',
  authFailed: 'لم تُربط الحسابات. أُوقفت المهمة.',

  timeLeft: ({ time }) => `الوقت المتبقي للإجابة: ${time}`,
  timeUp: 'انتهى الوقت',
  moreTime: 'وقت أكثر',

  popOut: 'فتح في عرض أكبر',
  popIn: 'العودة إلى المحادثة',
  poppedOut: 'مفتوح في عرض أكبر.',

  announceOne: ({ text }) => `سؤال في الانتظار: ${text}`,
  announceSeveral: ({ count }) => questions(count),
  titleCount: ({ count }) => `(${number(count)})`,
  inboxTitle: 'في انتظارك',
  inboxEmpty: 'لا شيء في انتظارك.',
  inboxOpen: 'فتح المحادثة',
  inboxMore: 'إظهار المزيد',
}
