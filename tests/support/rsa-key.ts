// The provider of OpenID Connect takes the key of rsa.pem: each RSA key that is made takes 0.1 s or more.
jest.mock('node:crypto', () => {
  const actual = jest.requireActual<typeof import('node:crypto')>('node:crypto')
  const { readFileSync } = jest.requireActual<typeof import('node:fs')>('node:fs')
  const path = jest.requireActual<typeof import('node:path')>('node:path')
  const { promisify } = jest.requireActual<typeof import('node:util')>('node:util')
  const pem = readFileSync(path.join(__dirname, 'rsa.pem'))
  const pair = { privateKey: actual.createPrivateKey(pem), publicKey: actual.createPublicKey(pem) }
  const generateKeyPair = { [promisify.custom]: async () => pair }
  return Object.assign(Object.create(actual), { generateKeyPair: Object.assign(() => {}, generateKeyPair) })
})
