import { SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { createJwt, type JwtRules } from './jwt.ts'

const NOW = 1_900_000_000_000
const SECRET = 'a secret that is at least thirty-two bytes long'
const rules: JwtRules = {
  secrets: [SECRET],
  typ: 'holdpoint-session+jwt',
  issuer: 'https://app.example',
  audience: 'https://app.example',
  lifetimeSeconds: 1800,
  now: () => NOW,
}
const jwt = createJwt(rules)
const iat = NOW / 1000
const claims = { iss: rules.issuer, aud: rules.audience, sub: 'ada', jti: 'one', iat, exp: iat + 1800 }

function forge(
  payload: Record<string, unknown> = claims,
  header: { alg?: string; typ?: string } = {},
  secret = SECRET,
) {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: rules.typ, ...header })
    .sign(new TextEncoder().encode(secret))
}

const without = (name: keyof typeof claims) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

test('a signed token is verified with its claims', async () => {
  const token = await jwt.sign({ sub: 'ada', jti: 'one', sid: 's1' })
  expect(await jwt.verify(token)).toMatchObject({ ...claims, sid: 's1' })
  expect(await jwt.verify(await forge())).toMatchObject(claims)
})

test('a token with alg none is rejected [J1.1]', async () => {
  await expect(jwt.verify(new UnsecuredJWT(claims).encode())).rejects.toMatchObject({ code: 'token_invalid' })
})

test.each(['HS384', 'HS512'])('a token with %s is rejected, although the right secret signed it', async (alg) => {
  const long = SECRET.repeat(2)
  const both = createJwt({ ...rules, secrets: [long] })
  await expect(both.verify(await forge(claims, {}, long))).resolves.toBeTruthy()
  await expect(both.verify(await forge(claims, { alg }, long))).rejects.toMatchObject({ code: 'token_invalid' })
})

test.each(['exp', 'iat', 'sub', 'jti', 'iss', 'aud'] as const)('a token without %s is rejected', async (name) => {
  await expect(jwt.verify(await forge(without(name)))).rejects.toMatchObject({ code: 'token_invalid' })
})

test('a token with an exp in ten years is rejected, also a fresh one [J1.3]', async () => {
  const tenYears = 10 * 365 * 24 * 3600
  await expect(jwt.verify(await forge({ ...claims, exp: iat + tenYears }))).rejects.toMatchObject({
    code: 'token_invalid',
  })
  await expect(jwt.verify(await forge({ ...claims, exp: iat + 1801 }))).rejects.toMatchObject({ code: 'token_invalid' })
})

test('a token with an iat in the future, or too long ago, is rejected', async () => {
  const future = { ...claims, iat: iat + 31, exp: iat + 1800 }
  await expect(jwt.verify(await forge(future))).rejects.toMatchObject({ code: 'token_invalid' })
  const old = { ...claims, iat: iat - 1831, exp: iat + 10 }
  await expect(jwt.verify(await forge(old))).rejects.toMatchObject({ code: expect.stringMatching(/^token_/) })
})

test.each([
  ['typ', {}, { typ: 'JWT' }],
  ['typ of another purpose', {}, { typ: 'holdpoint-webhook+jwt' }],
  ['issuer', { iss: 'https://evil.example' }, {}],
  ['audience', { aud: 'another' }, {}],
])('a token with another %s is rejected', async (_what, payload, header) => {
  await expect(jwt.verify(await forge({ ...claims, ...payload }, header))).rejects.toMatchObject({
    code: 'token_invalid',
  })
})

test('a secret of 1 byte or 31 bytes is rejected when the server is created [J1.2]', () => {
  expect(() => createJwt({ ...rules, secrets: ['x'] })).toThrow(/1 bytes/)
  expect(() => createJwt({ ...rules, secrets: ['x'.repeat(31)] })).toThrow(/at least 32/)
  expect(() => createJwt({ ...rules, secrets: [] })).toThrow(/no secret/)
  expect(() => createJwt({ ...rules, secrets: ['x'.repeat(32)] })).not.toThrow()
})

test('tokens: a clock difference of 30 seconds is accepted, 31 seconds are not, and more cannot be configured', async () => {
  const token = await jwt.sign({ sub: 'ada', jti: 'one' })
  const at = (seconds: number) => createJwt({ ...rules, now: () => NOW + seconds * 1000 })
  await expect(at(1800 + 29).verify(token)).resolves.toBeTruthy()
  await expect(at(1800 + 31).verify(token)).rejects.toMatchObject({ code: 'token_expired' })
  await expect(at(-29).verify(token)).resolves.toBeTruthy()
  await expect(at(-31).verify(token)).rejects.toMatchObject({ code: 'token_invalid' })
  expect(() => createJwt({ ...rules, toleranceSeconds: 31 })).toThrow(/above 30/)
})

test('with a tolerance of zero a new token is accepted until its last second', async () => {
  const strict = (seconds: number) => createJwt({ ...rules, toleranceSeconds: 0, now: () => NOW + seconds * 1000 })
  const token = await jwt.sign({ sub: 'ada', jti: 'one' })
  await expect(strict(0).verify(token)).resolves.toBeTruthy()
  await expect(strict(1799).verify(token)).resolves.toBeTruthy()
  await expect(strict(1800).verify(token)).rejects.toMatchObject({ code: 'token_expired' })
  await expect(strict(-1).verify(token)).rejects.toMatchObject({ code: 'token_invalid' })
  expect(() => createJwt({ ...rules, toleranceSeconds: 30 })).not.toThrow()
})

test('tokens: a secret may be bytes, which are copied', async () => {
  const bytes = new TextEncoder().encode(SECRET)
  const own = createJwt({ ...rules, secrets: [bytes] })
  bytes.fill(0)
  await expect(own.verify(await jwt.sign({ sub: 'ada', jti: 'one' }))).resolves.toBeTruthy()
})

test.each([{ sub: '' }, { jti: '' }])('a token with %j has no subject and is rejected', async (empty) => {
  await expect(jwt.verify(await forge({ ...claims, ...empty }))).rejects.toMatchObject({ code: 'token_invalid' })
})

test('the issue time can be set, and is now in whole seconds by default', async () => {
  const at = createJwt({ ...rules, now: () => NOW + 999 })
  expect((await jwt.verify(await at.sign({ sub: 'ada', jti: 'one' }))).iat).toBe(iat)
  expect((await jwt.verify(await at.sign({ sub: 'ada', jti: 'one', iat: iat - 7 }))).exp).toBe(iat - 7 + 1800)
})

test('tokens: a secret can be rotated, and a token signed with an unknown secret is rejected', async () => {
  const next = 'another secret that is also thirty-two bytes'
  const rotated = createJwt({ ...rules, secrets: [next, SECRET] })
  await expect(rotated.verify(await jwt.sign({ sub: 'ada', jti: 'one' }))).resolves.toBeTruthy()
  await expect(jwt.verify(await rotated.sign({ sub: 'ada', jti: 'one' }))).rejects.toMatchObject({
    code: 'token_invalid',
  })
})

test('tokens: the key is imported once, however many tokens are signed and verified', async () => {
  const real = crypto.subtle.importKey
  let imports = 0
  crypto.subtle.importKey = ((...args: Parameters<typeof real>) => {
    imports++
    return real.apply(crypto.subtle, args)
  }) as typeof real
  try {
    const fresh = createJwt(rules)
    for (let i = 0; i < 10; i++) await fresh.verify(await fresh.sign({ sub: 'ada', jti: `${i}` }))
  } finally {
    crypto.subtle.importKey = real
  }
  expect(imports).toBe(1)
})

test.each(['', 'x', 'a.b.c', 'null', `${'a'.repeat(100)}.${'b'.repeat(100)}.c`])(
  'garbage %j is rejected',
  async (text) => {
    await expect(jwt.verify(text)).rejects.toMatchObject({ code: 'token_invalid' })
  },
)

test.each([{ sub: { a: 1 } }, { sub: ['ada'] }, { sub: 7 }, { jti: { split: 1 } }, { jti: 7 }])(
  'a token with %j is rejected, although its signature is valid',
  async (wrong) => {
    const token = await forge({ ...claims, ...wrong })
    await expect(jwt.verify(token)).rejects.toMatchObject({ code: 'token_invalid' })
  },
)
