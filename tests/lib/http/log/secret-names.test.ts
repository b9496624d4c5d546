import { isSecretName } from '../../../../lib/http/log/secret-names'

test.each(
  `password Password passwd pass user_pass userPass pw new_pw pwd my-pwd passphrase passcode pin PIN otp secret clientSecret token
  access_token accessToken refreshtoken api_key apiKey apikey API-KEY x-api-key private_key privateKey credentials
  passwordHash password_like user[password] authorization auth jwt session_id sessionId sid signature session cookie
  code key salt cvv hash senha senhaAtual clave clave_nueva contraseña contrasena mot_de_passe motDePasse mdp haslo passwort
  confirmPassword password_confirmation loginCode paSSword toKen password=x next=/login?password=x`.split(
    /\s+/,
  ),
)('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each(
  'id name email title compass passenger bypass spin pinned author keyboard hashtag topic side design _page description tokenType token_type authProvider zipCode postal_code zip countryCode basalt enclave hashtags passport'.split(
    ' ',
  ),
)('%s does not name a secret', (name) => {
  expect(isSecretName(name)).toBe(false)
})
