package dev.equipoise.app.account;

import dev.equipoise.protocol.Credential;

/** What a token is for; the prefix lets people and scanners recognise one. */
enum TokenKind {
    /** People's scripts. */
    USER("eqp_"),
    /** One browser, for some hours. */
    SESSION("eqs_"),
    /** One registration of a worker. */
    JOIN("eqj_"),
    /** The assignments of one worker. */
    WORKER(Credential.PREFIX);

    private final String prefix;

    TokenKind(String prefix) {
        this.prefix = prefix;
    }

    /** Whether a text is that of such a token, if of any. */
    boolean isOf(String text) {
        return text.startsWith(prefix);
    }

    String prefix() {
        return prefix;
    }
}
