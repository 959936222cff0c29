// Compiled, not run: the types that require takes.
import penstock = require("penstock-redis");

export const allowed: boolean = new penstock.Decision(1, 100, 99, 0, 10, 1).allowed;
