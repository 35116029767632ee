package dev.equipoise.app.run;

/** At least one run was queued; published in the transaction that says so. */
public record RunQueued() {}
