/** Why a message could not be delivered, in words that contain no secret. */
export class DeliveryFailed extends Error {}
