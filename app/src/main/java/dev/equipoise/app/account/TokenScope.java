package dev.equipoise.app.account;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a user's token is good for.
 *
 * @param user who it acts for; null where it stands for itself
 * @param project the only one that it opens; null where it opens all that its user may see, or the
 *     whole lab
 * @param role the greatest that whoever has it may play
 * @param expiresAt null for never
 */
record TokenScope(
        @Nullable UUID user, @Nullable UUID project, Role role, @Nullable Instant expiresAt) {}
