package dev.equipoise.app.account;

import org.jspecify.annotations.Nullable;

/** Explains why the path rules deny a request, and names the token that the request needs. */
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
        return sender instanceof Caller.Newcomer
                ? "The request carries a join token, with which an agent joins; other calls need an API token, which begins with "
                        + TokenKind.USER.prefix()
                : "The caller may not make this call";
    }

    private static String named(@Nullable Object sender) {
        return switch (sender) {
            case Caller.User _ -> "an API token, which is for users and scripts";
            case Caller.Agent _ -> "the credential of a registered worker";
            case null, default -> "none";
        };
    }
}
