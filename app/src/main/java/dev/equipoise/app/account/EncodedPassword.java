package dev.equipoise.app.account;

/** The encoded form of a password. */
record EncodedPassword(String text) {

    @Override
    public String toString() {
        return "EncodedPassword[...]";
    }
}
