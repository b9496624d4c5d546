import { testRecipes } from './recipes'

testRecipes('{"type": "module"}')
