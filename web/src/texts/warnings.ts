// What the console says to who made the page: in English, beside the names of the attributes.

const named = (attributes: readonly string[]): string => attributes.map((name) => `"${name}"`).join(" and ");

export const attributeInvalid = (attributes: readonly string[], value: string): string =>
  `The attribute ${named(attributes)} is not followed: "${value}" is not what it takes. ` +
  "See the list of attributes in the service's guide to embedding";
export const attributesContradict = (attributes: readonly string[], value: string): string =>
  `The attributes ${named(attributes)} contradict each other at "${value}": one of them is not followed`;
export const attributeNotServed = (attributes: readonly string[], value: string): string =>
  `The attribute ${named(attributes)} names what is not offered here: "${value}"`;
export const feeNotTaken = (adapters: string): string =>
  `The fee is not taken by the routes of ${adapters}: the integrator has no fee wallet for the chain that is paid ` +
  "from, or the route leaves no room for a fee. The answer's warnings say which";
export const feeRefused = (why: string): string => `The service refuses the fee or the integrator: ${why}`;
