package dev.equipoise.app.account;

import org.jspecify.annotations.Nullable;

/** Explains why a request is denied, and names the role or the token that the request needs. */
final class Denial {

    private static final String JOINING = "POST /api/v1/agents";

    private Denial() {}

    /**
     * Returns the explanation.
     *
     * @param operation method and path of the request
     * @param sender null if unknown
     */
    static String of(String operation, @Nullable Object sender) {
        if (operation.equals(JOINING)) {
            return "An agent joins with a join token, which begins with %s and which an administrator creates by POST /api/v1/join-tokens, but the request carries %s"
                    .formatted(TokenKind.JOIN.prefix(), named(sender));
        }
        return switch (sender) {
            case Caller.Newcomer _ ->
                    "The request carries a join token, with which an agent joins; other calls need an API token, which begins with "
                            + TokenKind.USER.prefix();
            case Caller.User _ when isForAgents(operation) ->
                    "Only the agent of a registered worker may make this call";
            case Caller.User user when !user.isAdministrator() -> ofOthers(user.access());
            case null, default -> "The caller may not make this call";
        };
    }

    /** Returns the explanation for a caller who is no administrator of the lab. */
    static String ofOthers(Access access) {
        return "The call requires the role %s, but the caller has %s"
                .formatted(
                        Role.ADMINISTRATOR,
                        access.highest().map(role -> "the role " + role).orElse("no role"));
    }

    private static boolean isForAgents(String operation) {
        return operation.contains(" /api/v1/agents/")
                || operation.contains(" /api/v1/assignments/");
    }

    private static String named(@Nullable Object sender) {
        return switch (sender) {
            case Caller.User _ -> "an API token, which is for users and scripts";
            case Caller.Agent _ -> "the credential of a registered worker";
            case null, default -> "none";
        };
    }
}
