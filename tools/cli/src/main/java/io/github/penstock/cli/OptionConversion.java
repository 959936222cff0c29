package io.github.penstock.cli;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.simulator.record.CostRule;
import io.github.penstock.simulator.record.NumberRule;
import io.github.penstock.simulator.record.RowFilter;
import io.github.penstock.simulator.record.SubjectRule;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectShare;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

final class OptionConversion {
  private OptionConversion() {}

  /** Makes a command line read the values that the simulator knows. */
  static CommandLine added(CommandLine to) {
    return to.registerConverter(LimitCandidate.class, of(LimitCandidate::of))
        .registerConverter(LeaseTerms.class, of(LeaseSettings::terms))
        .registerConverter(NumberRule.class, of(NumberRule::new))
        .registerConverter(SubjectRule.class, of(SubjectRule::new))
        .registerConverter(ZoneId.class, of(OptionConversion::zone))
        .registerConverter(SubjectShare.class, of(SubjectShare::of))
        .registerConverter(LimitAssertion.class, of(LimitAssertion::of))
        .registerConverter(RowFilter.class, of(RowFilter::of))
        .registerConverter(CostRule.class, of(CostRule::new));
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException unknown) {
      throw new IllegalArgumentException(
          "'" + text + "' must be a zone such as Europe/Berlin, UTC or +02:00");
    }
  }

  /*
   * An IllegalArgumentException becomes the message on the command line, after the option's name.
   */
  private static <T> ITypeConverter<T> of(Function<String, T> reader) {
    return text -> {
      try {
        return reader.apply(text);
      } catch (IllegalArgumentException wrong) {
        TypeConversionException shown =
            new TypeConversionException(String.valueOf(wrong.getMessage()));
        shown.initCause(wrong);
        throw shown;
      }
    };
  }
}
