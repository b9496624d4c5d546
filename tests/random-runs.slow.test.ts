describe.each([
  'app/same-at-random',
  'app/hostile',
  'app/records',
  'middlewares/user-lookup',
  'middlewares/bearer-token',
  'lib/http/server/protocol-errors',
  'lib/http/rule-pattern',
])('%s, with more random requests than in the fast tests', (file) => {
  require(`./${file}.test`)
})
