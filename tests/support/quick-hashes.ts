import bcrypt from 'bcryptjs'

const { hashSync } = bcrypt

/** Lets the server make its hashes at the lowest cost in the tests of a file: those of its own cost take 0.1 s each. */
export function quickHashes(): void {
  beforeEach(() => {
    jest.spyOn(bcrypt, 'hashSync').mockImplementation((password) => hashSync(password, 4))
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })
}
