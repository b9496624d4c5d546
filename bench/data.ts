/** Number of users in the generated data, whatever the number of blogs. */
const USERS = 50

/** Number of different values of `userid`, so that a filter by it gives the same share at every size. */
const AUTHORS = 100

/** A blog as it is sent in a POST: without an id. */
interface NewBlog {
  title: string
  body: string
  post: string
  userid: number
}

const SUBJECTS = ['Bread', 'Radios', 'Hiking', 'Libraries', 'Gardens', 'Ferries', 'Bicycles']

// ASCII only: the load generator takes the length of a text for its length in bytes.
const WORDS = (
  'a about after again all and apron at autumn back bench board bread but by canal chalk cold door each early ferry ' +
  'first flour for from garden glass half harbour I in iron it ladder lamp last late like long map morning my never ' +
  'night no of old on once one oven over paper plum rain ridge river road salt seed she shelf slow small smoke so spring ' +
  'station still stone table that the then three to tram two under until we week when winter with without wood yard'
).split(' ')

const WORDS_PER_BODY = 18

/**
 * Words in an order that differs from blog to blog: a text that is always the same would cost nothing to
 * compress.
 */
function bodyOf(number: number): string {
  let state = number + 1
  const words = Array.from({ length: WORDS_PER_BODY }, () => {
    // A linear congruential generator (Numerical Recipes). Its high bits are the random ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return WORDS[(state >>> 16) % WORDS.length]
  })
  return `${words.join(' ')}.`
}

/** The blog of a number, always the same. The titles are out of order, so that sorting by them is work. */
export function newBlog(number: number): NewBlog {
  const shuffled = (number * 7919) % 100_003
  return {
    title: `${SUBJECTS[number % SUBJECTS.length]}, part ${shuffled}`,
    body: bodyOf(number),
    post: `2026/0${1 + (number % 9)}/1${number % 10}`,
    userid: 1 + (number % AUTHORS),
  }
}

/** What a generated user logs in with. */
export function credentials(id: number): { email: string; password: string } {
  return { email: `user${id}@example.com`, password: `password-${id}` }
}

/**
 * A whole data file, as json-server writes it.
 *
 * @param size number of blogs, with the ids 1 to `size`; about 230 bytes each
 */
export function dataFile(size: number): string {
  const blogs = Array.from({ length: size }, (_, index) => ({ id: index + 1, ...newBlog(index + 1) }))
  const users = Array.from({ length: USERS }, (_, index) => ({
    id: index + 1,
    name: `User ${index + 1}`,
    ...credentials(index + 1),
  }))
  return JSON.stringify({ blogs, users }, null, 2)
}
