package io.github.penstock.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** A figure as an XML parser reads it. */
record DrawnChart(Element root) {
  /* An ordinary font has letters of about half its size, and few as wide as this. */
  private static final double LETTER = 7;

  static DrawnChart of(ReportFigure figure) {
    try {
      return new DrawnChart(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(figure.svg())))
              .getDocumentElement());
    } catch (Exception malformed) {
      throw new AssertionError(figure.svg(), malformed);
    }
  }

  double width() {
    return number(root, "width");
  }

  double height() {
    return number(root, "height");
  }

  String description() {
    return root.getAttribute("aria-label");
  }

  /** The elements of this name that are drawn in a series' colour. */
  List<Element> marks(String name, SeriesColor color) {
    return all(name).stream()
        .filter(e -> (e.getAttribute("fill") + e.getAttribute("stroke")).contains(color.variable()))
        .filter(e -> !e.hasAttribute("rx"))
        .toList();
  }

  List<Element> all(String name) {
    NodeList found = root.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  /** The text of the chart, without tooltips. */
  List<String> texts() {
    return all("text").stream().map(text -> text.getFirstChild().getNodeValue()).toList();
  }

  /** The tooltips of marks. */
  List<String> tooltips() {
    return all("title").stream()
        .filter(title -> !title.getParentNode().getNodeName().equals("text"))
        .map(Element::getTextContent)
        .toList();
  }

  void holdsAllItsTexts() {
    for (Element text : all("text")) {
      double x = number(text, "x");
      double length = text.getFirstChild().getNodeValue().length() * LETTER;
      String anchor = text.getAttribute("text-anchor");
      double left =
          anchor.equals("end") ? x - length : anchor.equals("middle") ? x - length / 2 : x;
      assertThat(left).as(text.getTextContent()).isGreaterThanOrEqualTo(0);
      assertThat(left + length).as(text.getTextContent()).isLessThanOrEqualTo(width());
      assertThat(number(text, "y")).isBetween(10.0, height());
    }
  }

  static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  /** The numbers of a path, as M and L have them: x, y, x, y. */
  static List<Double> points(Element path) {
    List<Double> numbers = new ArrayList<>();
    for (String number : path.getAttribute("d").split("[MLHVz ]+")) {
      if (!number.isEmpty()) {
        numbers.add(Double.parseDouble(number));
      }
    }
    return numbers;
  }
}
