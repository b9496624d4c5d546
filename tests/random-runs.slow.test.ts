describe.each(['middlewares/user-lookup', 'middlewares/bearer-token', 'lib/http/server/protocol-errors'])(
  '%s, with more random requests than in the fast tests',
  (file) => {
    require(`./${file}.test`)
  },
)
