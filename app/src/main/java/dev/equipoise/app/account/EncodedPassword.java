package dev.equipoise.app.account;

/** What is kept of a password. */
record EncodedPassword(String text) {

    @Override
    public String toString() {
        return "EncodedPassword[...]";
    }
}
