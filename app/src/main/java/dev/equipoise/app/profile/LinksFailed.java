package dev.equipoise.app.profile;

import java.util.UUID;

/** A measurement of links has failed; published in the transaction that says so. */
public record LinksFailed(UUID measurement) {}
