package dev.equipoise.app.checkpoint;

import java.util.UUID;

/**
 * Event: another model took the place of one of its run. Published in the transaction that records
 * it.
 *
 * @param origin of the replaced model
 * @param epoch of the replaced model
 * @param upload that wrote the file of the replaced model
 */
public record ModelReplaced(Models.Origin origin, int epoch, UUID upload) {}
