package dev.equipoise.app.account;

/**
 * The identity of a user at an identity provider.
 *
 * @param subject unique at the issuer and never reused
 * @param name display name
 */
record Identity(String issuer, String subject, String name) {}
