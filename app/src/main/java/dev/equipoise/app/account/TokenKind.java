package dev.equipoise.app.account;

import dev.equipoise.protocol.Credential;

/** The kinds of tokens; the prefix lets people and scanners recognize a token. */
enum TokenKind {
    /** For scripts of users. */
    USER("eqp_"),
    /** For one browser, for some hours. */
    SESSION("eqs_"),
    /** For one sign-in by a link. */
    CODE("eqc_"),
    /** For the first registration of workers. */
    JOIN("eqj_"),
    /** For the requests of one worker. */
    WORKER(Credential.PREFIX);

    private final String prefix;

    TokenKind(String prefix) {
        this.prefix = prefix;
    }

    /** Tells whether the text has the prefix of this kind. */
    boolean isOf(String text) {
        return text.startsWith(prefix);
    }

    String prefix() {
        return prefix;
    }
}
