import { readAccountSettings } from '../../../lib/accounts/account-settings'
import { readNewUser, takenNames } from '../../../lib/accounts/new-user'
import { PeopleIndex } from '../../../lib/accounts/people-index'
import { PersonFields } from '../../../lib/auth/person-fields'
import { identifyBy } from '../../support/identify'

type Fields = Readonly<Record<string, string>>

const TABLES = 200
const BODIES = 80

const DECIDING = ['email', 'username', 'phone']
const NAMES = [...DECIDING, 'name']
const OTHERS = ['role', 'badge', 'tenant', 'usuario', 'grant_type', 'geheim']
const VALUES = ['a', 'b', 'c', 'd', 'password', 'true']

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function drawn(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Some fields of some values, in any order. */
function someOf(labels: readonly string[], random: () => number, values: readonly string[] = VALUES): Fields {
  const value = () => values[Math.floor(random() * values.length)] ?? 'a'
  const chosen = labels.filter(() => random() < 0.4)
  return Object.fromEntries(chosen.sort(() => random() - 0.5).map((label) => [label, value()]))
}

const FIELDS = new PersonFields()

/** Whether a sign-up with such a body is taken. */
function canSignUp(body: Fields, users: readonly Fields[]): boolean {
  try {
    const indexOf = (people: readonly unknown[]) => new PeopleIndex(people, FIELDS)
    const user = readNewUser(body, readAccountSettings({}))
    return takenNames(user, [users], { fields: FIELDS, indexOf }).length === 0
  } catch {
    return false
  }
}

const namesOf = (user: Fields): string[] => NAMES.flatMap((label) => user[label] ?? [])

/** Who it is, as the words have it: each user by itself, one after the other, without an index. */
function expected(body: Fields, users: readonly Fields[]): Fields | undefined {
  const sent = Object.entries(body)
  const passwordsBeside = (named: readonly string[]) =>
    'password' in body
      ? [body.password]
      : sent.flatMap(([label, text]) => (named.includes(label) ? [] : [text]))
  const deciding = sent.filter(([label]) => DECIDING.includes(label))
  if (deciding.length > 0) {
    const agrees = (user: Fields) => {
      const had = deciding.filter(([label]) => label in user)
      return had.length > 0 && had.every(([label, text]) => user[label] === text)
    }
    const hasAll = (user: Fields) => deciding.every(([, text]) => namesOf(user).includes(text))
    const meant = users.some(agrees) ? users.filter(agrees) : users.filter(hasAll)
    const given = passwordsBeside(deciding.map(([label]) => label))
    const right = meant.filter((user) => given.some((text) => text === user.password))
    return right.length === 1 ? right[0] : undefined
  }
  const steps = [
    sent.filter(([label]) => label === 'name'),
    sent.filter(([label]) => label !== 'name' && label !== 'password'),
  ]
  for (const step of steps) {
    const isRight = (user: Fields) =>
      step.some(
        ([label, text]) =>
          namesOf(user).includes(text) && passwordsBeside([label]).some((given) => given === user.password),
      )
    const right = users.filter(isRight)
    if (right.length > 0) return right.length === 1 ? right[0] : undefined
  }
  return undefined
}

test('whoever a login means is who the words say, whatever strangers sign up with: 16,000 bodies, 200 tables of users', async () => {
  const identify = identifyBy(FIELDS)
  let admitted = 0
  let signUps = 0
  for (let seed = 1; seed <= TABLES; seed += 1) {
    const random = drawn(seed)
    const users = Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
      ...someOf([...NAMES, ...OTHERS], random),
      password: VALUES[Math.floor(random() * VALUES.length)] ?? 'a',
    }))
    for (let count = 0; count < BODIES; count += 1) {
      const labels = random() < 0.5 ? OTHERS : [...OTHERS, ...NAMES]
      const body = someOf(random() < 0.7 ? [...labels, 'password'] : labels, random)
      const { user } = await identify(body, [users])
      expect({ seed, body, users, user }).toEqual({ seed, body, users, user: expected(body, users) })
      if (user === undefined) continue
      admitted += 1
      // A stranger signs up with anything of the body as a name, and a password of their own.
      const stranger = {
        ...someOf([...NAMES, ...OTHERS], random, Object.values(body)),
        password: 'of the stranger',
      }
      if (!canSignUp(stranger, users)) continue
      signUps += 1
      const still = await identify(body, [[...users, stranger]])
      expect({ seed, body, users, stranger, user: still.user }).toEqual({ seed, body, users, stranger, user })
    }
  }
  // A generator that lets nobody in would find nothing.
  expect(admitted).toBeGreaterThan(1000)
  expect(signUps).toBeGreaterThan(200)
})
