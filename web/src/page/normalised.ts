// ENSIP-15, with its tables, which are loaded when the first name is typed.

export { ens_normalize as normalize } from "@adraffy/ens-normalize";
