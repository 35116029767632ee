package dev.equipoise.app.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a project in the last seven days.
 *
 * @param workerSeconds charged worker-seconds
 * @param belowLimitAt when enough charges are older than seven days; null if there are none whose
 *     expiry suffices
 */
public record WeeklyUsage(double workerSeconds, @Nullable Instant belowLimitAt) {}
