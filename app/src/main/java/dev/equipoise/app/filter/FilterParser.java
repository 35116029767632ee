package dev.equipoise.app.filter;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses filters such as {@code accuracy > 0.9 and synchronization = async}, by recursive descent:
 *
 * <pre>
 * filter     = conjunct { "or" conjunct }
 * conjunct   = term { "and" term }
 * term       = "not" term | "(" filter ")" | field test
 * test       = operator value | [ "not" ] "in" list | "is" ( "present" | "missing" )
 * list       = "(" value { "," value } ")"
 * operator   = "=" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "~" | "!~"
 * </pre>
 *
 * <p>The first wrong token ends the parsing; all unknown fields and wrong values before it are
 * reported together.
 */
public final class FilterParser {

    /** Limit of a filter, in characters. */
    public static final int MAX_LENGTH = 2000;

    private static final int MAX_DEPTH = 20;
    private static final int MAX_VALUES = 200;
    private static final Condition ANY = new Condition.And(List.of());

    private final String pointer;
    private final List<FilterToken> tokens;
    private final FieldCatalog fields;
    private final LiteralReader literals;
    private final List<Violation> violations = new ArrayList<>();
    private int next;
    private int depth;
    private int values;

    private FilterParser(
            String pointer, List<FilterToken> tokens, FieldCatalog fields, LiteralReader literals) {
        this.pointer = pointer;
        this.tokens = tokens;
        this.fields = fields;
        this.literals = literals;
    }

    /**
     * Parses a filter that is not blank.
     *
     * @param pointer place of the text in the request, such as {@code ?filter}
     * @param now time from which relative times count
     * @throws Problem {@code invalid-request} with the places of all violations
     */
    public static Condition parse(String pointer, String text, FieldCatalog fields, Instant now) {
        if (text.length() > MAX_LENGTH) {
            throw invalid(
                    pointer,
                    "must have at most %d characters".formatted(MAX_LENGTH),
                    text.length());
        }
        if (text.indexOf('\0') >= 0) {
            throw invalid(pointer, "must not contain the character NUL (U+0000)", null);
        }
        try {
            return new FilterParser(pointer, FilterToken.of(text), fields, new LiteralReader(now))
                    .all();
        } catch (FilterFault fault) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, List.of(fault.violation(pointer)));
        }
    }

    private static Problem invalid(String pointer, String rule, @Nullable Object value) {
        return Problem.of(ErrorCode.INVALID_REQUEST, List.of(new Violation(pointer, rule, value)));
    }

    /** Returns a filter, or null if the text is null or blank. */
    public static @Nullable Condition parseIfPresent(
            String pointer, @Nullable String text, FieldCatalog fields, Instant now) {
        return text == null || text.isBlank() ? null : parse(pointer, text, fields, now);
    }

    private Condition all() {
        Condition condition = ANY;
        try {
            condition = filter();
            requireEnd();
        } catch (FilterFault fault) {
            violations.add(fault.violation(pointer));
        }
        if (!violations.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, violations);
        }
        return condition;
    }

    private void requireEnd() {
        FilterToken rest = take();
        if (rest.kind() != FilterToken.Kind.END) {
            throw fault(rest, "expected and, or, or the end");
        }
    }

    private Condition filter() {
        List<Condition> any = new ArrayList<>();
        do {
            any.add(conjunct());
        } while (skip("or"));
        return any.size() == 1 ? any.getFirst() : new Condition.Or(any);
    }

    private Condition conjunct() {
        List<Condition> all = new ArrayList<>();
        do {
            all.add(term());
        } while (skip("and"));
        return all.size() == 1 ? all.getFirst() : new Condition.And(all);
    }

    private Condition term() {
        FilterToken first = take();
        if (!first.is("not") && !first.is("(")) {
            return test(first);
        }
        depth++;
        if (depth > MAX_DEPTH) {
            throw fault(first, "not and ( may be nested at most %d deep".formatted(MAX_DEPTH));
        }
        Condition condition = first.is("not") ? new Condition.Not(term()) : grouped();
        depth--;
        return condition;
    }

    private Condition grouped() {
        Condition inner = filter();
        require(")", "expected and, or, or )");
        return inner;
    }

    private Condition test(FilterToken name) {
        if (!name.isText()) {
            throw fault(name, "expected a field, not, or (");
        }
        Optional<FilterField> field = fields.find(name.text());
        if (field.isEmpty()) {
            reject(name, fields.unknown(name.text()));
        }
        FilterToken verb = take();
        Optional<Operator> operator = Operator.of(verb.text()).filter(it -> verb.is(it.symbol()));
        if (operator.isPresent()) {
            return compared(field, operator.get(), verb);
        }
        if (verb.is("is")) {
            return presence(field);
        }
        if (verb.is("not")) {
            require("in", "expected in");
            return new Condition.Not(membership(field, verb));
        }
        if (verb.is("in")) {
            return membership(field, verb);
        }
        throw fault(verb, "expected =, !=, <, <=, >, >=, ~, !~, in, not in, or is");
    }

    private Condition compared(Optional<FilterField> field, Operator operator, FilterToken verb) {
        FilterToken value = value();
        if (field.isEmpty() || !has(field.get(), operator, verb)) {
            return ANY;
        }
        return literal(field.get(), value)
                .<Condition>map(it -> new Condition.Compared(field.get(), operator, it))
                .orElse(ANY);
    }

    private boolean has(FilterField field, Operator operator, FilterToken verb) {
        List<Operator> known = field.type().operators();
        if (!known.contains(operator)) {
            reject(
                    verb,
                    "%s is %s and is compared by %s"
                            .formatted(
                                    field.name(),
                                    field.type().noun(),
                                    String.join(
                                            " ", known.stream().map(Operator::symbol).toList())));
        }
        return known.contains(operator);
    }

    private Condition presence(Optional<FilterField> field) {
        FilterToken which = take();
        if (!which.is("present") && !which.is("missing")) {
            throw fault(which, "expected present or missing");
        }
        return field.<Condition>map(Condition.Present::new)
                .map(it -> which.is("present") ? it : new Condition.Not(it))
                .orElse(ANY);
    }

    private Condition membership(Optional<FilterField> field, FilterToken verb) {
        boolean isComparable = field.filter(it -> has(it, Operator.EQUAL, verb)).isPresent();
        require("(", "expected (");
        List<Literal> items = new ArrayList<>();
        do {
            FilterToken value = value();
            if (isComparable) {
                literal(field.orElseThrow(), value).ifPresent(items::add);
            }
        } while (skip(","));
        require(")", "expected , or )");
        return items.isEmpty() ? ANY : new Condition.OneOf(field.orElseThrow(), items);
    }

    private FilterToken value() {
        FilterToken value = take();
        if (value.is("=")) {
            throw fault(value, "expected a value; equality is one =");
        }
        if (!value.isText()) {
            throw fault(value, "expected a value; put such a word in quotes");
        }
        values++;
        if (values > MAX_VALUES) {
            throw fault(value, "a filter has at most %d values".formatted(MAX_VALUES));
        }
        return value;
    }

    private Optional<Literal> literal(FilterField field, FilterToken value) {
        try {
            return Optional.of(literals.read(field, value.text()));
        } catch (IllegalArgumentException wrong) {
            reject(value, String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    private FilterToken take() {
        FilterToken token = tokens.get(next);
        next = Math.min(next + 1, tokens.size() - 1);
        return token;
    }

    private boolean skip(String symbolOrKeyword) {
        boolean isThere = tokens.get(next).is(symbolOrKeyword);
        if (isThere) {
            take();
        }
        return isThere;
    }

    private void require(String symbolOrKeyword, String rule) {
        FilterToken token = take();
        if (!token.is(symbolOrKeyword)) {
            throw fault(token, rule);
        }
    }

    private void reject(FilterToken token, String rule) {
        violations.add(FilterFault.violation(pointer, token.at(), token.shown(), rule));
    }

    private static FilterFault fault(FilterToken token, String rule) {
        return new FilterFault(token.at(), token.shown(), rule);
    }
}
