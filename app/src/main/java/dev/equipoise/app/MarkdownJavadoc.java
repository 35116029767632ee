package dev.equipoise.app;

import com.github.therapi.runtimejavadoc.ClassJavadoc;
import com.github.therapi.runtimejavadoc.Comment;
import com.github.therapi.runtimejavadoc.CommentVisitor;
import com.github.therapi.runtimejavadoc.Link;
import com.github.therapi.runtimejavadoc.ParamJavadoc;
import com.github.therapi.runtimejavadoc.RuntimeJavadoc;
import com.github.therapi.runtimejavadoc.Value;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.providers.JavadocProvider;
import org.springframework.context.annotation.Primary;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;

/**
 * Javadoc of operations, parameters, schemas and fields as CommonMark, the texts of the OpenAPI
 * description. The compiler keeps the Javadoc beside the classes. A text that does not exist is
 * empty.
 */
@Primary
@Component
class MarkdownJavadoc implements JavadocProvider {

    private static final String PARAGRAPH = "\n\n";

    /** Inline tag whose text the library leaves as it is, since it begins with a sign. */
    private static final Pattern TAG = Pattern.compile("\\{@\\w+\\s+([^{}]*)}");

    private final Map<Class<?>, ClassJavadoc> read = new ConcurrentHashMap<>();

    /** Text of a comment, with code and links as code. */
    private static final class Markdown implements CommentVisitor {

        private final StringBuilder text = new StringBuilder();

        @Override
        public void commentText(String plain) {
            text.append(plain);
        }

        @Override
        public void inlineLink(Link link) {
            if (link.getLabel() != null) {
                code(link.getLabel());
            } else {
                String type = String.valueOf(link.getReferencedClassName());
                code(type.substring(type.lastIndexOf('.') + 1));
            }
        }

        @Override
        public void inlineTag(String name, String value) {
            if (name.equals("code")) {
                code(value);
            } else {
                text.append(value);
            }
        }

        @Override
        public void inlineValue(Value value) {
            code(value.getReferencedMemberName());
        }

        private void code(String code) {
            text.append('`').append(code.strip()).append('`');
        }
    }

    @Override
    public String getClassJavadoc(Class<?> type) {
        return text(javadoc(type).getComment());
    }

    @Override
    public Map<String, String> getRecordClassParamJavadoc(Class<?> type) {
        return texts(javadoc(type).getRecordComponents());
    }

    @Override
    public String getMethodJavadocDescription(Method method) {
        return text(RuntimeJavadoc.getJavadoc(method).getComment());
    }

    @Override
    public String getMethodJavadocReturn(Method method) {
        return text(RuntimeJavadoc.getJavadoc(method).getReturns());
    }

    /** Returns nothing: {@code ApiFailures} describes errors by their status. */
    @Override
    public Map<String, String> getMethodJavadocThrows(Method method) {
        return Map.of();
    }

    @Override
    public String getParamJavadoc(Method method, String name) {
        return texts(RuntimeJavadoc.getJavadoc(method).getParams()).getOrDefault(name, "");
    }

    @Override
    public String getFieldJavadoc(Field field) {
        return text(RuntimeJavadoc.getJavadoc(field).getComment());
    }

    /** Returns the first sentence without its full stop. */
    @Override
    public String getFirstSentence(String text) {
        String paragraph = text.split(PARAGRAPH, 2)[0];
        String sentence = paragraph.split("\\.\\s", 2)[0];
        return StringUtils.trimTrailingCharacter(sentence, '.');
    }

    @Override
    public void clearCache() {
        read.clear();
    }

    private ClassJavadoc javadoc(Class<?> type) {
        return read.computeIfAbsent(type, RuntimeJavadoc::getJavadoc);
    }

    private Map<String, String> texts(List<ParamJavadoc> parameters) {
        Map<String, String> texts = new HashMap<>();
        parameters.forEach(it -> texts.put(it.getName(), text(it.getComment())));
        return texts;
    }

    /** Formats a comment; null, as the library has it for a missing one, becomes empty. */
    private String text(@Nullable Comment comment) {
        if (comment == null) {
            return "";
        }
        var markdown = new Markdown();
        comment.visit(markdown);
        String text = TAG.matcher(markdown.text).replaceAll("`$1`");
        return StringUtils.capitalize(
                String.join(
                        PARAGRAPH,
                        Arrays.stream(text.split("<p>", -1))
                                .map(it -> it.strip().replaceAll("\\s+", " "))
                                .toList()));
    }
}
