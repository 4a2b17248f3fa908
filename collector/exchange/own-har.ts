/** `creator` of the HAR files that Lastbyte writes: their entries hold in `_lastbyte` what HAR has no field for. */
export const OWN_CREATOR = 'Lastbyte';
/** Stands for `(other)`, which is no host name. https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
export const OTHER_HOST = 'other.invalid';
