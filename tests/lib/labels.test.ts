import { holdsPassword, isSecretName } from '../../lib/labels'

test.each(
  `password Password passwd pass user_pass userPass newPwd pwd my-pwd oldPasswords passwordHash password_like db_pass
  senha senhaAtual clave contraseña contrasena mot_de_passe motDePasse mdp haslo passwort confirmPassword
  password_confirmation userpass password2`.split(/\s+/),
)('%s holds the label of a password', (name) => {
  expect(holdsPassword(name)).toBe(true)
  expect(isSecretName(name)).toBe(true)
})

test.each(
  `id name email title compass passenger passengers2 bypass spin pinned passport passportVerified author keyboard tokens
  code key pin otp secret enclave basalt`.split(/\s+/),
)('%s holds none', (name) => {
  expect(holdsPassword(name)).toBe(false)
})

test.each(
  `otp pin secret clientSecret token access_token accessToken refreshtoken api_key apiKey API-KEY x-api-key credentials
  authorization jwt sessionId sid signature cvv toKen`.split(/\s+/),
)('%s names another secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each(
  'id name email title compass spin pinned author keyboard side design _page code key zipCode'.split(' '),
)('%s names none', (name) => {
  expect(isSecretName(name)).toBe(false)
})
