import { testRecipes } from './recipes'

testRecipes('{}')
