package dev.equipoise.app.account;

/**
 * Somebody for whom an identity provider vouches.
 *
 * @param subject unique at the issuer, and never given to another
 * @param name for people
 */
record Identity(String issuer, String subject, String name) {}
