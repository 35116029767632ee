package dev.equipoise.agent.channel;

import dev.equipoise.protocol.ProbeKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Key pair by which a process proves to a reachability probe that it answers (Ed25519, RFC 8032).
 * Thread-safe.
 */
final class ProbeIdentity {

    static final int SIGNATURE_BYTES = 64;

    private static final String ALGORITHM = "Ed25519";

    /** Label of signatures, distinct from those of proofs by a run key. */
    private static final byte PROBE = 6;

    /** Any stranger may ask for signatures, so that these may occupy one processor at most. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final KeyPair keys;

    ProbeIdentity(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(NamedParameterSpec.ED25519, random);
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    ProbeKey key() {
        return ProbeKey.of(keys.getPublic().getEncoded());
    }

    /** Signs the remaining bytes of the parts, whose positions do not change. */
    byte[] sign(ByteBuffer... parts) {
        lock.lock();
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(keys.getPrivate());
            update(signature, parts);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the process with this key has signed the parts; false for no valid key. */
    static boolean isSigned(ProbeKey key, byte[] signed, ByteBuffer... parts) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(
                    KeyFactory.getInstance(ALGORITHM)
                            .generatePublic(new X509EncodedKeySpec(key.encoded())));
            update(signature, parts);
            return signature.verify(signed);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static void update(Signature signature, ByteBuffer... parts)
            throws GeneralSecurityException {
        signature.update(PROBE);
        for (ByteBuffer part : parts) {
            signature.update(part.duplicate());
        }
    }
}
