package dev.equipoise.app.account;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rights of a user token.
 *
 * @param user the owner; null for a service account token
 * @param project the only accessible project; null for all that the user may see, or the whole lab
 * @param role the highest role of the bearer
 * @param expiresAt null for never
 */
record TokenScope(
        @Nullable UUID user, @Nullable UUID project, Role role, @Nullable Instant expiresAt) {}
