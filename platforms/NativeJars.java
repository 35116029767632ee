import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Checks that the native libraries in jars are for one processor. Arguments: the processor, as
 * {@code uname -m} names it, and the jars. Prints a line for each jar; ends with status 1 at the first
 * jar with a library for another processor, or without one.
 */
final class NativeJars {

    private static final int ELF = 0x7f454c46;
    private static final int MACHINE_OFFSET = 18;
    private static final int HEADER = 20;

    /** Values of {@code e_machine} (ELF-64 object file format). */
    private static final Map<String, Integer> MACHINES = Map.of("x86_64", 62, "aarch64", 183);

    /** How the names of PostgreSQL's archives, which have no libraries beside them, end. */
    private static final Map<String, String> ARCHIVES =
            Map.of("x86_64", "-linux-x86_64.txz", "aarch64", "-linux-arm_64.txz");

    private NativeJars() {}

    public static void main(String[] arguments) throws IOException {
        String processor = arguments[0];
        try {
            for (String jar : Arrays.asList(arguments).subList(1, arguments.length)) {
                System.out.println("  " + described(Path.of(jar), processor));
            }
        } catch (IllegalStateException refusal) {
            System.err.println("equipoise: " + refusal.getMessage());
            System.exit(1);
        }
    }

    private static String described(Path path, String processor) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            List<JarEntry> libraries =
                    jar.stream().filter(it -> it.getName().matches(".*\\.so(\\.\\d+)*")).toList();
            for (JarEntry library : libraries) {
                requireFor(processor, path, library, jar);
            }
            if (!libraries.isEmpty()) {
                return "%s: %d libraries".formatted(path.getFileName(), libraries.size());
            }
            String archive =
                    jar.stream()
                            .map(JarEntry::getName)
                            .filter(it -> it.endsWith(ARCHIVES.get(processor)))
                            .findAny()
                            .orElseThrow(() ->
                                    new IllegalStateException(
                                            "%s has no library for %s".formatted(path, processor)));
            return "%s: %s".formatted(path.getFileName(), archive);
        }
    }

    private static void requireFor(String processor, Path path, JarEntry library, JarFile jar)
            throws IOException {
        try (InputStream in = jar.getInputStream(library)) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER));
            boolean isElf = header.limit() == HEADER && header.getInt(0) == ELF;
            int machine =
                    isElf ? header.order(ByteOrder.LITTLE_ENDIAN).getShort(MACHINE_OFFSET) : -1;
            if (machine != MACHINES.get(processor)) {
                throw new IllegalStateException(
                        "%s in %s is not for %s: its ELF machine is %d, but must be %d"
                                .formatted(
                                        library.getName(),
                                        path,
                                        processor,
                                        machine,
                                        MACHINES.get(processor)));
            }
        }
    }
}
