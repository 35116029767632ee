package dev.equipoise.app.measurement;

import java.util.UUID;

/**
 * The task of one worker in a measurement session.
 *
 * @param id the profile of the worker, or the link measurement of all
 * @param rank rank of the worker in the session
 */
public record MeasurementTask(MeasurementKind kind, UUID id, int rank) {}
