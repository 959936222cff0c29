export { Networks, addressOf, addressSubject, costOf, headerSubject, strictest, type Address } from "./callers.js";
