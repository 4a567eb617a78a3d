/** The version: that of the service whose OpenAPI document the types were made of. */
export const VERSION = "0.1.0";
